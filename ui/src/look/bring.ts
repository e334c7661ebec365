// Bringing a record to the server and opening it; files may be dropped anywhere on the
// pages that look at records.

import { useEffect, useState } from 'preact/hooks';
import { about, records } from '../api/client';
import { words } from '../lang';
import { attempt, tell } from '../shell/notice';
import { go } from '../shell/router';

export async function bring(name: string, sgf: Blob | string): Promise<void> {
  const most = (await attempt(about))?.max_record_bytes;
  if (most === undefined) return;
  // A file that is far too large is cut off while it is sent, which looks like a stopped
  // server; so it is not sent at all.
  if (new Blob([sgf]).size > most)
    return tell(words.value.errors.tooLarge(megabytes(most)), 'error');
  const record = await attempt(() => records.add(name, sgf));
  if (record) go({ page: 'record', id: record.id });
}

const megabytes = (bytes: number) => String(Math.floor(bytes / 2 ** 20));

/** Takes files and texts dropped on the page; true while something is dragged over it. */
export function useDrop(): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onOver = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      const text = event.dataTransfer?.getData('text/plain');
      if (file) void bring(file.name, file);
      else if (text) void bring('', text);
    };
    addEventListener('dragover', onOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
    };
  }, []);
  return over;
}
