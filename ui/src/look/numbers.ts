// Numbers as players read them.

/** Returns points with their sign: `+3.5`, `−0.5`, `0`. */
export function signed(points: number): string {
  const rounded = Math.round(points * 10) / 10;
  if (rounded === 0) return '0';
  return `${rounded > 0 ? '+' : '−'}${Math.abs(rounded)}`;
}

/** Returns points with their sign and one digit, for columns: `+3.0`, `−0.5`, `0.0`. */
export function signedTenths(points: number): string {
  const text = signed(points);
  return text.includes('.') ? text : `${text}.0`;
}

/** Returns points with one digit: `3.0`, `0.5`. */
export function tenths(points: number): string {
  return (Math.round(points * 10) / 10).toFixed(1);
}

/** Returns a share from 0 to 1 as whole percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Returns a share with a digit more where it is small: `23 %`, `0.4 %`, `< 0.1 %`. */
export function share(part: number): string {
  if (part >= 0.0995) return percent(part);
  return part < 0.0005 ? '< 0.1 %' : `${(part * 100).toFixed(1)} %`;
}

/** Returns a count in few letters: `950`, `1.2k`, `34k`. */
export function brief(count: number): string {
  if (count < 1000) return String(count);
  return count < 10_000
    ? `${(count / 1000).toFixed(1)}k`
    : `${Math.round(count / 1000)}k`;
}
