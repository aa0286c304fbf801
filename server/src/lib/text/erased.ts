/** What stands where a person's number or name was, once they are erased (G-78). */
export const ERASED = '[erased]'
