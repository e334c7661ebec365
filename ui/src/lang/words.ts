// Small pieces the language files share.

export type Side = 'black' | 'white';

/** A key and what it does, for the list of keys. */
export const key = (name: string, does: string): [name: string, does: string] => [
  name,
  does,
];
