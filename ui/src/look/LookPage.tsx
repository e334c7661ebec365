// Bringing a game record: dropped, picked, pasted, or one that was brought before.

import { useEffect, useState } from 'preact/hooks';
import { reachable, records } from '../api/client';
import type { RecordSummary } from '../api/types';
import { words } from '../lang';
import { Icon } from '../shell/Icon';
import { KeptList, momentText } from '../shell/KeptList';
import { attempt } from '../shell/notice';
import { addressOf } from '../shell/router';
import { bring, useDrop } from './bring';

export function LookPage() {
  const t = words.value.look;
  const [text, setText] = useState('');
  const dragging = useDrop();
  return (
    <div class="play">
      <h1 class="lead">{t.title}</h1>
      <p class="lead-text">{t.text}</p>
      <div class="play-columns">
        <div class="card form">
          <label class={`drop ${dragging ? 'drop-over' : ''}`}>
            <Icon name="open" />
            <span>{t.drop}</span>
            <input
              type="file"
              class="unseen"
              accept=".sgf,application/x-go-sgf"
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                if (file) void bring(file.name, file);
                event.currentTarget.value = '';
              }}
            />
          </label>
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              if (text.trim()) void bring(t.pasted, text);
            }}
          >
            <div class="field">
              <label for="paste">{t.paste}</label>
              <textarea
                id="paste"
                rows={5}
                spellcheck={false}
                placeholder="(;GM[1]SZ[9];B[ee]…)"
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            </div>
            <button
              class="button button-main"
              type="submit"
              disabled={text.trim() === ''}
            >
              {t.openPasted}
            </button>
          </form>
        </div>
        <RecordList />
      </div>
    </div>
  );
}

function RecordList() {
  const t = words.value.look;
  const [list, setList] = useState<RecordSummary[]>([]);
  const load = async () => setList((await attempt(records.list)) ?? []);
  useEffect(() => void (reachable.value && load()), [reachable.value]);
  if (list.length === 0) return null;
  const entries = list.map((record) => ({
    id: record.id,
    address: addressOf({ page: 'record', id: record.id }),
    name: record.name || t.unnamed,
    content: (
      <span class="game-text">
        <strong>{record.name || t.unnamed}</strong>
        <span class="soft">{momentText(record.created_ms)}</span>
      </span>
    ),
  }));
  return (
    <KeptList
      title={t.records}
      entries={entries}
      texts={t}
      onRemove={async (id) => {
        const removed = await attempt(async () => {
          await records.remove(id);
          return true;
        });
        await load();
        return removed ?? false;
      }}
    />
  );
}
