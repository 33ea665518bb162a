import { TaskType } from '../../contract/wire/tasks.js';

/** Tasks that only change rows when they end: shortest and longest seconds at a time scale of 1. */
export const CHANGE_TASK_SECONDS = {
  delete_project: [20, 60],
  create_network: [3, 8],
  update_network: [1, 3],
  delete_network: [3, 8],
  create_subnet: [2, 6],
  delete_subnet: [2, 6],
  create_image: [20, 60],
  download_image: [20, 60],
  delete_image: [3, 6],
  create_security_group: [1, 4],
  update_security_group: [1, 4],
  create_security_group_rule: [1, 3],
  delete_security_group_rule: [1, 3],
  delete_servergroup: [1, 3],
  put_into_server_group: [10, 30],
  remove_from_server_group: [10, 30],
  [TaskType.deleteVolume]: [3, 6],
  [TaskType.deleteFloatingIp]: [3, 6],
  create_volume: [3, 8],
  attach_volume: [3, 8],
  detach_volume: [3, 8],
  extend_volume: [3, 8],
  revert_volume: [3, 8],
  create_snapshot: [5, 15],
  delete_snapshot: [3, 6],
  create_fip: [3, 6],
  update_floating_ip: [3, 6],
  attach_vm_interface: [3, 8],
  detach_vm_interface: [3, 8],
  create_reserved_fixed_ip: [3, 6],
  delete_reserved_fixed_ip: [3, 6],
} as const;

export const CHANGE_TASKS = Object.keys(CHANGE_TASK_SECONDS).filter(
  (name): name is keyof typeof CHANGE_TASK_SECONDS => name in CHANGE_TASK_SECONDS,
);
