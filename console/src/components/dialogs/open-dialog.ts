/** A dialog that is not open is in the page as a closed popover. */
const OPEN = '[role="dialog"]:not([popover]:not(:popover-open))'

/** Whether a dialog is open, so that keys are meant for it and not for the page. */
export function isDialogOpen(): boolean {
  return document.querySelector(OPEN) !== null
}
