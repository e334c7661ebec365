// The list of keys, and the switches that belong to it.

import { words } from '../lang';
import { change, settings } from '../settings';
import { Dialog } from './Dialog';

export function Help({ onClose }: { onClose: () => void }) {
  const t = words.value.help;
  const { coordinates, shortcuts } = settings.value;
  return (
    <Dialog title={t.title} onClose={onClose}>
      <div class="help">
        {t.groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, text]) => (
                <div key={key}>
                  <dt>
                    {key.split(' ').map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={shortcuts}
          onChange={(event) => change({ shortcuts: event.currentTarget.checked })}
        />
        {t.letters}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={coordinates}
          onChange={(event) => change({ coordinates: event.currentTarget.checked })}
        />
        {t.coordinates}
      </label>
      <div class="row row-end">
        <button class="button button-main" type="button" onClick={onClose}>
          {words.value.common.close}
        </button>
      </div>
    </Dialog>
  );
}
