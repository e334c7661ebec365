// The form that starts a game. The first three choices are enough; the rest is folded
// away and keeps what was chosen last.

import { useEffect, useState } from 'preact/hooks';
import { autoLevel, games } from '../api/client';
import type { About } from '../api/types';
import { words } from '../lang';
import { attempt } from '../shell/notice';
import { go } from '../shell/router';
import { Choices, Field, NumberField, Pick, Segments } from './fields';
import {
  handicapsFor,
  keepChoice,
  komiOf,
  requestOf,
  startingChoice,
  usualKomi,
  type Choice,
  type ClockChoice,
} from './newGame';
import {
  levelName,
  levelText,
  partnerName,
  partnerSentence,
  rulesName,
  strengthName,
  strengthText,
  styleName,
  unusualTexts,
} from './names';

const CLOCK_CHOICES: ClockChoice[] = ['none', 'relaxed', 'normal', 'fast', 'own'];

export function NewGameForm({ about }: { about: About }) {
  const t = words.value.newGame;
  const [choice, setChoice] = useState(() => startingChoice(about));
  const [starting, setStarting] = useState(false);
  const set = (part: Partial<Choice>) => setChoice({ ...choice, ...part });
  const badKomi = komiOf(choice.komi) === undefined;
  const komi = usualKomi(about, choice);
  const unusual = unusualTexts(about, choice);
  const [now, setNow] = useState<string | null>(null);
  // Without an answer the list says that the level follows, but not where it is.
  useEffect(() => {
    autoLevel().then(
      ({ level }) => setNow(level),
      () => undefined,
    );
  }, []);

  const start = async (event: Event) => {
    event.preventDefault();
    if (starting) return;
    setStarting(true);
    keepChoice(choice);
    const game = await attempt(() => games.create(requestOf(choice)));
    setStarting(false);
    if (game) go({ page: 'game', id: game.id });
  };

  return (
    <form class="card form" onSubmit={start} aria-labelledby="new-game">
      <h2 id="new-game">{t.title}</h2>
      <Segments
        label={t.size}
        name="size"
        value={choice.size}
        options={about.sizes.map(({ size }) => [size, `${size} × ${size}`])}
        onChange={(size) => {
          const handicap = handicapsFor(about, size).includes(choice.handicap)
            ? choice.handicap
            : 0;
          set({ size, handicap });
        }}
      />
      <Segments
        label={t.color}
        name="color"
        value={choice.color}
        options={[
          ['black', t.colors.black],
          ['white', t.colors.white],
          ['random', t.colors.random],
        ]}
        onChange={(color) => set({ color })}
      />
      <PartnerFields about={about} now={now} choice={choice} set={set} />
      {/* What is wrong can only be shown where it can be seen. */}
      <details
        class="more"
        onInvalidCapture={(event) => (event.currentTarget.open = true)}
      >
        <summary>
          {t.more}
          {unusual.length > 0 && (
            <span class="hint" data-testid="unusual">
              {unusual.join(' · ')}
            </span>
          )}
        </summary>
        <div class="form-grid">
          <Field label={t.rules} hint={t.countings[countingOf(about, choice.rules)]}>
            {(id, described) => (
              <Pick
                id={id}
                described={described}
                value={choice.rules}
                options={about.rules.map((one) => [one.id, rulesName(one.id)])}
                onChange={(rules) => set({ rules })}
              />
            )}
          </Field>
          <Field
            label={t.komi}
            hint={badKomi ? t.komiBad : t.komiHint(komi)}
            bad={badKomi}
          >
            {(id, described) => (
              <input
                id={id}
                aria-describedby={described}
                ref={(input) => input?.setCustomValidity(badKomi ? t.komiBad : '')}
                aria-invalid={badKomi}
                inputMode="decimal"
                placeholder={String(komi)}
                value={choice.komi}
                onInput={(event) => set({ komi: event.currentTarget.value })}
              />
            )}
          </Field>
          <Field label={t.handicap} hint={t.handicapHint}>
            {(id, described) => (
              <Pick
                id={id}
                described={described}
                value={String(choice.handicap)}
                options={handicapsFor(about, choice.size).map((n) => [
                  String(n),
                  t.stones(n),
                ])}
                onChange={(n) => set({ handicap: Number(n) })}
              />
            )}
          </Field>
          <Field label={t.clock} hint={t.clockHints[choice.clock]}>
            {(id, described) => (
              <Pick
                id={id}
                described={described}
                value={choice.clock}
                options={CLOCK_CHOICES.map((clock) => [clock, t.clocks[clock]])}
                onChange={(clock) => set({ clock: clock as ClockChoice })}
              />
            )}
          </Field>
          {choice.clock === 'own' && <OwnClock choice={choice} set={set} />}
          <Field label={t.name} hint={t.nameHint}>
            {(id, described) => (
              <input
                id={id}
                aria-describedby={described}
                maxLength={60}
                autocomplete="nickname"
                value={choice.name}
                onInput={(event) => set({ name: event.currentTarget.value })}
              />
            )}
          </Field>
          <label class="check">
            <input
              type="checkbox"
              checked={choice.quick}
              onChange={(event) => set({ quick: event.currentTarget.checked })}
            />
            {t.quick}
          </label>
        </div>
      </details>
      <button class="button button-main button-large" type="submit" disabled={starting}>
        {starting ? t.starting : t.start}
      </button>
    </form>
  );
}

interface PartProps {
  choice: Choice;
  set: (part: Partial<Choice>) => void;
}

interface PartnerFieldsProps {
  about: About;
  /** What the automatic level is now, once it is known. */
  now: string | null;
}

function PartnerFields({ about, now, choice, set }: PartProps & PartnerFieldsProps) {
  const t = words.value.newGame;
  const partner = about.partners.find(({ id }) => id === choice.partner);
  if (!partner) return <p>{t.noPartner}</p>;
  const strength = partner.strengths.find(({ id }) => id === choice.strength);
  const level = partner.levels.find(({ id }) => id === choice.level);
  return (
    <>
      {level && (
        <Field
          label={t.level}
          hint={levelText(level, partner.measured.includes(choice.size))}
        >
          {(id, described) => (
            <Pick
              id={id}
              described={described}
              value={level.id}
              options={partner.levels.map((one) => [one.id, levelName(one.id, now)])}
              onChange={(level) => set({ level })}
            />
          )}
        </Field>
      )}
      {!level && strength && (
        <Segments
          label={t.strength}
          name="strength"
          value={strength.id}
          options={partner.strengths.map((one) => [one.id, strengthName(one.id)])}
          onChange={(id) => set({ strength: id })}
          hint={strengthText(partner.id, strength)}
        />
      )}
      {about.partners.length > 1 && (
        <PartnerChoice about={about} choice={choice} set={set} />
      )}
      {partner.styles.length > 0 && (
        <Field label={t.style}>
          {(id) => (
            <Pick
              id={id}
              value={choice.style ?? ''}
              options={[
                ['', t.noStyle],
                ...partner.styles.map((one) => [one.id, styleName(one.id)] as const),
              ]}
              onChange={(style) => set({ style: style || null })}
            />
          )}
        </Field>
      )}
    </>
  );
}

/**
 * Who plays, with a sentence each. Folded away, because the usual partner suits most; those
 * for the curious once more.
 */
function PartnerChoice({ about, choice, set }: PartProps & { about: About }) {
  const t = words.value.newGame;
  const listed = (advanced: boolean) => (
    <Choices
      name="partner"
      value={choice.partner}
      options={about.partners
        .filter((one) => one.advanced === advanced)
        .map((one) => ({
          id: one.id,
          title: partnerName(one),
          text: partnerSentence(one.id),
        }))}
      onChange={(id) => set(startingPartner(about, choice, id))}
    />
  );
  const advanced = about.partners.filter((one) => one.advanced);
  const partner = about.partners.find(({ id }) => id === choice.partner);
  return (
    <details class="more">
      <summary>
        {t.partner}: {partner && partnerName(partner)}
      </summary>
      <fieldset class="field">
        <legend class="unseen">{t.partner}</legend>
        {listed(false)}
        {advanced.length > 0 && (
          <details class="more" open={advanced.some(({ id }) => id === choice.partner)}>
            <summary>{t.morePartners}</summary>
            {listed(true)}
          </details>
        )}
      </fieldset>
    </details>
  );
}

function OwnClock({ choice, set }: PartProps) {
  const t = words.value.newGame;
  return (
    <>
      <NumberField
        label={t.mainMinutes}
        value={choice.mainMinutes}
        least={0}
        most={600}
        parts
        onChange={(mainMinutes) => set({ mainMinutes })}
      />
      <NumberField
        label={t.periodSeconds}
        value={choice.periodSeconds}
        least={1}
        most={3600}
        onChange={(periodSeconds) => set({ periodSeconds })}
      />
      <NumberField
        label={t.periods}
        value={choice.periods}
        least={1}
        most={99}
        onChange={(periods) => set({ periods })}
      />
    </>
  );
}

function countingOf(about: About, rules: string): 'area' | 'territory' {
  return about.rules.find(({ id }) => id === rules)?.scoring === 'territory'
    ? 'territory'
    : 'area';
}

/** Another partner has other levels; what it lacks falls back to its own usual. */
function startingPartner(about: About, choice: Choice, partner: string): Choice {
  return startingChoice(about, JSON.stringify({ ...choice, partner }));
}
