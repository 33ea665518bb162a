/** The task types of the API that this product knows, as `task_type` names them. Free of zod. */
export const TaskType = {
  createVm: 'create_vm',
  /** The same call can start it: the API chooses for basic machines. */
  createBasicVm: 'create_basic_vm',
  deleteVm: 'delete_vm',
  deleteVolume: 'delete_volume',
  deleteFloatingIp: 'delete_fip',
  createProfile: 'create_ddos_profile',
  updateProfile: 'update_ddos_profile',
  activateProfile: 'activate_ddos_profile',
  deactivateProfile: 'deactivate_ddos_profile',
  deleteProfile: 'delete_ddos_profile',
} as const;
export type TaskType = (typeof TaskType)[keyof typeof TaskType];

/** What `POST /cloud/v2/instances/…` can start. A search for a lost create asks for each. */
export const CREATE_INSTANCE_TASKS = [TaskType.createVm, TaskType.createBasicVm] as const;
export type CreateInstanceTask = (typeof CREATE_INSTANCE_TASKS)[number];

/** What can still change a DDoS profile, apart from its deletion. */
export const CHANGE_PROFILE_TASKS = [
  TaskType.createProfile,
  TaskType.updateProfile,
  TaskType.activateProfile,
  TaskType.deactivateProfile,
] as const;
