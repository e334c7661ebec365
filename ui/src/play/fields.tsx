// The parts forms are made of: a labelled field, a list, a row of choices, a number.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  hint?: string | undefined;
  bad?: boolean;
  /** Gets the id for the control and that of its hint. */
  children: (id: string, described: string | undefined) => ComponentChildren;
}

export function Field({ label, hint, bad, children }: FieldProps) {
  const id = useId();
  const described = hint ? `${id}-hint` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, described)}
      {hint && (
        <p id={described} class={bad ? 'hint hint-bad' : 'hint'}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface PickProps {
  id: string;
  described?: string | undefined;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}

export function Pick({ id, described, value, options, onChange }: PickProps) {
  return (
    <select
      id={id}
      aria-describedby={described}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface ChoicesProps {
  name: string;
  value: string;
  options: readonly { id: string; title: string; text: string | undefined }[];
  onChange: (value: string) => void;
}

/** Choices below each other, with a sentence for each. */
export function Choices({ name, value, options, onChange }: ChoicesProps) {
  return (
    <div class="choices">
      {options.map(({ id, title, text }) => (
        <label key={id} class="choice">
          <input
            type="radio"
            name={name}
            value={id}
            checked={id === value}
            onChange={() => onChange(id)}
          />
          <span>
            <strong>{title}</strong>
            {text && <span class="hint">{text}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}

interface SegmentsProps<T extends string | number> {
  label: string;
  name: string;
  value: T;
  options: readonly (readonly [value: T, text: string])[];
  onChange: (value: T) => void;
  hint?: string | undefined;
}

/** A few choices side by side; radio buttons underneath, so arrow keys work. */
export function Segments<T extends string | number>(props: SegmentsProps<T>) {
  return (
    <fieldset class="field segments">
      <legend>{props.label}</legend>
      <div class="segments-row">
        {props.options.map(([value, text]) => (
          <label key={value} class="segment">
            <input
              type="radio"
              name={props.name}
              value={value}
              checked={value === props.value}
              onChange={() => props.onChange(value)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
      {props.hint && <p class="hint">{props.hint}</p>}
    </fieldset>
  );
}

interface NumberFieldProps {
  label: string;
  value: number;
  least: number;
  most: number;
  /** Whether parts of one may be given. */
  parts?: boolean;
  onChange: (value: number) => void;
}

export function NumberField(props: NumberFieldProps) {
  const { label, value, least, most, parts, onChange } = props;
  return (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          type="number"
          min={least}
          max={most}
          step={parts ? 'any' : 1}
          required
          value={value}
          onInput={(event) => {
            const typed = event.currentTarget.valueAsNumber;
            if (typed >= least && typed <= most) onChange(typed);
          }}
        />
      )}
    </Field>
  );
}
