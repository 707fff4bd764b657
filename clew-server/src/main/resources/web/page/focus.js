// Where the focus goes when what had it is gone.

/** With a keyboard, to the message box; on a touch screen that would open the keys. */
export function toMessageBox() {
  if (matchMedia('(pointer: fine)').matches) {
    document.querySelector('#message')?.focus();
  }
}
