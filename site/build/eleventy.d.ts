// What of Eleventy is used here: it brings no types of its own.
declare module '@11ty/eleventy' {
  interface Config {
    amendLibrary(name: 'md', amend: (library: never) => void): void;
    setUseGitIgnore(use: boolean): void;
    addTemplate(path: string, content: string, data: object): void;
  }
  interface Options {
    readonly quietMode: boolean;
    readonly configPath: false;
    readonly config: (config: Config) => void;
  }
  // biome-ignore lint/style/noDefaultExport: that is how Eleventy exports it.
  export default class Eleventy {
    constructor(input: string, output: string, options: Options);
    write(): Promise<void>;
  }
}
