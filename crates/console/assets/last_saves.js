// Saves that were still under way when their page went, by path: whoever reads the same waits for them.
const leaving = new Map();

export function leave(path, save) {
  const last = save.catch(() => {}).finally(() => leaving.get(path) === last && leaving.delete(path));
  leaving.set(path, last);
}

export const lastSaves = () => Promise.all(leaving.values());
