// The key with which function-tether seals external names in the simulated world. It guards nothing: there the platform, its
// tenants and its attackers are one process. In process and as a program it is the same key.

export const harnessMemoryKey = 'a key that guards nothing but the simulated world';
