import type { temporal } from '@temporalio/proto';

import type { CompletedMetadata } from '../messages.js';

const CORE_FLAGS = { idAndTypeChecks: 1, upsertOnPatch: 2, moveTerminalCommands: 3 };

export type CoreFlag = keyof typeof CORE_FLAGS;

export interface SdkVersion {
  name: string;
  version: string;
}

/** How core and lang behaved when a run was executed, so that they behave so again when it is replayed. */
export class InternalFlags {
  readonly #canWrite: boolean;
  readonly #sdk: SdkVersion;
  readonly #core = new Set<number>();
  readonly #lang = new Set<number>();
  readonly #newCore = new Set<number>();
  readonly #newLang = new Set<number>();
  #last: SdkVersion = { name: '', version: '' };

  constructor(canWrite: boolean, sdk: SdkVersion) {
    this.#canWrite = canWrite;
    this.#sdk = sdk;
  }

  addFromCompleted(event: temporal.api.history.v1.IWorkflowTaskCompletedEventAttributes): void {
    const { sdkMetadata } = event;
    if (sdkMetadata === null || sdkMetadata === undefined) return;
    for (const flag of sdkMetadata.coreUsedFlags ?? []) this.#core.add(flag);
    for (const flag of sdkMetadata.langUsedFlags ?? []) this.#lang.add(flag);
    const { sdkName, sdkVersion } = sdkMetadata;
    this.#last = {
      name: sdkName === '' ? this.#last.name : (sdkName ?? this.#last.name),
      version: sdkVersion === '' ? this.#last.version : (sdkVersion ?? this.#last.version),
    };
  }

  addUsedByLang(flags: readonly number[]): void {
    if (!this.#canWrite) return;
    for (const flag of flags) this.#newLang.add(flag);
  }

  /** @param records whether the run is executed now, so that the flag may be taken and recorded */
  tryUse(flag: CoreFlag, records: boolean): boolean {
    if (!records) return this.#core.has(CORE_FLAGS[flag]);
    if (this.#canWrite) this.#newCore.add(CORE_FLAGS[flag]);
    return this.#canWrite;
  }

  writeAllKnown(): void {
    if (!this.#canWrite) return;
    for (const flag of Object.values(CORE_FLAGS)) this.#newCore.add(flag);
  }

  gatherForCompletion(): CompletedMetadata {
    if (!this.#canWrite) return {};
    const coreUsedFlags = [...this.#newCore].filter((flag) => !this.#core.has(flag));
    const langUsedFlags = [...this.#newLang].filter((flag) => !this.#lang.has(flag));
    for (const flag of coreUsedFlags) this.#core.add(flag);
    for (const flag of langUsedFlags) this.#lang.add(flag);
    return {
      coreUsedFlags,
      langUsedFlags,
      sdkName: this.#last.name === this.#sdk.name ? '' : this.#sdk.name,
      sdkVersion: this.#last.version === this.#sdk.version ? '' : this.#sdk.version,
    };
  }

  /** In ascending order, as core keeps them. */
  lang(): number[] {
    return [...this.#lang].sort((a, b) => a - b);
  }

  lastSdkVersion(): string {
    return this.#last.version;
  }
}
