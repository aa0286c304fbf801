/** Replaces a person's number or name after they were erased (G-78). */
export const ERASED = '[erased]'
