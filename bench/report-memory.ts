/** Loaded before the program that is watched (`--import`): answers each message of its parent with the used heap, in bytes. */
process.on('message', () => process.send?.(process.memoryUsage().heapUsed));
// The channel must not keep a program alive that has ended.
process.channel?.unref();
