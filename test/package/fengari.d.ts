// The parts of fengari, which has no types, that health.lua needs: https://github.com/fengari-lua/fengari.
declare module 'fengari' {
  type State = {readonly lua: unique symbol};
  export const lua: {
    lua_pop(state: State, count: number): void;
    lua_tojsstring(state: State, index: number): string;
    lua_getfield(state: State, index: number, key: Uint8Array): number;
  };
  export const lauxlib: {
    luaL_newstate(): State;
    luaL_dostring(state: State, code: Uint8Array): boolean;
  };
  export const lualib: {luaL_openlibs(state: State): void};
  export function to_luastring(text: string): Uint8Array;
}
