import type { PreparedRun } from '../../../engine/core/prepared-run.js';

export interface PreparedListSshKeys extends PreparedRun {
  name?: string;
}
