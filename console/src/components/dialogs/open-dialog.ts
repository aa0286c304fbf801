/** What is not open waits in the page as a closed popover. */
const OPEN = '[role="dialog"]:not([popover]:not(:popover-open))'

/** Whether a dialog is open, so that keys are for it and not for the page. */
export function isDialogOpen(): boolean {
  return document.querySelector(OPEN) !== null
}
