/** What we use of the WebAssembly interface, which the types of Node.js 20 lack. */
declare namespace WebAssembly {
  class Module {
    constructor(code: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports?: Readonly<Record<string, never>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
