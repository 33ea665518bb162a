import type { PreparedRun } from './prepared-run.js';

export interface PreparedListSshKeys extends PreparedRun {
  name?: string;
}
