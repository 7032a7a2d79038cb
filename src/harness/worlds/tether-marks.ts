// Marks of function-tether as people and tenants write them in stories. Not shared with the function: its own typo would
// then pass.

export const labelTetherComposite = 'tether.fn.crossplane.io/composite';
export const labelTetherResource = 'tether.fn.crossplane.io/resource';
export const annotationConfirmRemoval = 'tether.fn.crossplane.io/confirm-removal';
/** The resource name of the ConfigMap that remembers external names. */
export const memoryName = 'tether-external-names';
