// A window over the page that takes the focus and gives it back: help, questions.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { words } from '../lang';

interface DialogProps {
  title: string;
  /** A style class for the window. */
  kind?: 'question';
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, kind, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const leaving = useRef(false);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // Closed before it is removed, or the focus would not go back to where it was. The
    // event of that comes late, perhaps when the next dialog is open.
    return () => {
      leaving.current = true;
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={kind}
      aria-labelledby="dialog-title"
      onClose={() => leaving.current || onClose()}
      onClick={(event) => event.target === ref.current && ref.current?.close()}
    >
      <div class="dialog-body">
        <h2 id="dialog-title" tabIndex={-1} autofocus={kind !== 'question'}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

interface QuestionProps {
  title: string;
  text: string;
  /** The words of the button that does it. */
  yes: string;
  onYes: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function Question({ title, text, yes, onYes, onClose }: QuestionProps) {
  return (
    <Dialog title={title} kind="question" onClose={onClose}>
      <p>{text}</p>
      <div class="row row-end">
        <button class="button" type="button" onClick={onClose} autofocus>
          {words.value.common.cancel}
        </button>
        <button
          class="button button-danger"
          type="button"
          onClick={() => {
            onYes();
            onClose();
          }}
        >
          {yes}
        </button>
      </div>
    </Dialog>
  );
}
