// The key with which function-tether seals external names in the simulated world. It guards nothing: there the platform,
// its tenants and its attackers are one process. Both are told the same way, in process and as a program.

export const harnessMemoryKey = 'a key that guards nothing but the simulated world';
