import { TaskType, type CreateInstanceTask } from '../../contract/wire/tasks.js';
import { NameForm } from './name-form.js';

/** What no document says about the API, or what it does in more than one way. */
export interface OpenFacts {
  /** A PATCH of a DDoS profile without `fields` keeps them (the default) or clears them. */
  readonly patchWithoutFields: 'keep' | 'clear';
  /** Whether the `data` of a task repeats the tags of its create call. Default: false. */
  readonly echoTags: boolean;
  /** Whether the `data` of a task that changes an instance names it. Default: true, as for deletions. */
  readonly namesInstance: boolean;
  /** The type of the task that makes an instance. Default: `create_vm`; the real one has both. */
  readonly createTask: CreateInstanceTask;
  /** The form in which the names of videos are stored. Default: as given. */
  readonly nameForm: NameForm;
  /** Whether lists in values of DDoS fields come back sorted. Default: false. */
  readonly sortsLists: boolean;
  /** Whether a new DDoS profile is active and has `bgp`. Default: `off`. */
  readonly profileBirth: 'on' | 'off';
}

export function openFacts({
  patchWithoutFields = 'keep',
  echoTags = false,
  namesInstance = true,
  createTask = TaskType.createVm,
  nameForm = NameForm.asGiven,
  sortsLists = false,
  profileBirth = 'off',
}: Partial<OpenFacts>): OpenFacts {
  return {
    patchWithoutFields,
    echoTags,
    namesInstance,
    createTask,
    nameForm,
    sortsLists,
    profileBirth,
  };
}
