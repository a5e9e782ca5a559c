// Who is meant by what somebody pasted or by a file: addresses, names with addresses, or a table. Nothing here asks the service.
import { parsed } from "./csv.js";

// Stricter than the service, which takes whatever has an @: what stands around an address in a list is none of it.
const ADDRESS = /^[^@\s<>()[\]",;]+@[^@\s<>()[\]",;]+$/;
const IN_BRACKETS = /<[^<>@\s]+@[^<>@\s]+>/;
const [LONGEST_ADDRESS, LONGEST_NAME] = [254, 255];
// What mail programs and web pages put between letters: spaces of another kind, and marks that nobody sees.
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

// What columns are called by programs that make such tables, in the languages of this page.
const HEADS = {
  email: [
    ...["email", "e-mail", "mail", "email address", "e-mail address", "address", "e-mail-adresse"],
    ...["mailadresse", "adresse", "correo", "correo electrónico", "dirección"],
    ...["courriel", "adresse e-mail", "adresse électronique", "البريد", "البريد الإلكتروني", "العنوان"],
  ],
  name: [
    ...["name", "full name", "student", "student name", "learner"],
    ...["vollständiger name", "nombre completo", "nom complet", "الاسم", "الاسم الكامل"],
  ],
  first: ["first name", "firstname", "given name", "vorname", "nombre", "prénom", "الاسم الأول"],
  last: [
    ...["last name", "lastname", "surname", "family name", "nachname", "familienname"],
    ...["apellido", "apellidos", "nom", "nom de famille", "اسم العائلة"],
  ],
};

const clean = (text) => text.replace(UNSEEN, "").replace(/\s+/g, " ").trim();
const addressIn = (text) => clean(text).replace(/^[([]/, "").replace(/^mailto:/i, "").replace(/[)\].,;]+$/, "");
const isAddress = (text) => ADDRESS.test(text) && text.length <= LONGEST_ADDRESS;
const unquoted = (text) => clean(text).replace(/^[;,\s]+/, "").replace(/^(["'])(.*)\1$/, "$2");

// "Byron, Ada" <ada@school.example>; Ben <ben@school.example>
function inBrackets(text) {
  const people = [];
  for (const [, before, inside] of text.matchAll(/([^<>]*)<([^<>]*)>/g)) {
    // What stands before it may end in the name and begin with other addresses.
    const parts = before.includes("@") ? before.split(/[;,]/) : [before];
    const name = unquoted(parts.pop());
    people.push(...parts.map(addressIn).filter(Boolean).map((email) => ({ email, name: "" })), { email: addressIn(inside), name });
  }
  const rest = text.slice(text.lastIndexOf(">") + 1).split(/[;,]/).map(addressIn).filter(Boolean);
  return [...people, ...rest.map((email) => ({ email, name: "" }))];
}

// Cells that nobody has named: one address, and a name in one or two cells beside each other; or in one cell both.
function byItself(cells) {
  if (cells.length === 1) return byWords(cells[0].split(" ").map(addressIn), cells[0]);
  const addresses = cells.filter(isAddress);
  if (!addresses.length) return { reason: "no_address" };
  const at = cells.indexOf(addresses[0]);
  const [before, after] = [cells.slice(0, at).filter(Boolean), cells.slice(at + 1).filter(Boolean)];
  const name = [...before, ...after];
  if (addresses.length > 1 || name.length > 2 || (before.length && after.length)) return { reason: "columns" };
  return { people: [{ email: addresses[0], name: name.join(" ") }] };
}

function byWords(words, text) {
  const addresses = words.filter(isAddress);
  if (addresses.length !== 1) return { reason: addresses.length ? "columns" : "no_address" };
  const name = text.split(" ").filter((_, at) => words[at] !== addresses[0]);
  return { people: [{ email: addresses[0], name: name.join(" ") }] };
}

function headOf(cells) {
  if (cells.some((cell) => cell.includes("@"))) return null;
  const said = cells.map((cell) => clean(cell).toLowerCase());
  const columns = Object.fromEntries(Object.entries(HEADS).map(([key, names]) => [key, said.findIndex((cell) => names.includes(cell))]));
  return columns.email >= 0 ? columns : null;
}

function byHead(cells, head) {
  const at = (key) => (head[key] >= 0 ? cells[head[key]] || "" : "");
  const email = at("email");
  if (IN_BRACKETS.test(email)) return { people: inBrackets(email) };
  if (!isAddress(email)) return { reason: "no_address" };
  return { people: [{ email, name: at("name") || [at("first"), at("last")].filter(Boolean).join(" ") }] };
}

function fromCells(raw, head) {
  const cells = raw.map((cell) => (isAddress(addressIn(cell)) ? addressIn(cell) : clean(cell)));
  return head ? byHead(cells, head) : byItself(cells);
}

// A line by itself: as mail programs write it, addresses alone, or cells, by whatever sign they are parted.
function lineOf(text, line) {
  if (IN_BRACKETS.test(text)) return { line, text, people: inBrackets(text) };
  const words = clean(text).split(/[;,\s]+/).map(addressIn).filter(Boolean);
  if (words.length && words.every(isAddress)) return { line, text, people: words.map((email) => ({ email, name: "" })) };
  const { rows, broken } = parsed(text);
  return { line, text, cells: rows[0]?.cells || [], isBroken: broken !== null };
}

// With names above its columns it is a table, whose cells may go on in the next line; unless a quotation mark stands wrong somewhere.
function linesOf(text) {
  const lines = text.split(/\r\n|\r|\n/).map((one, at) => lineOf(one.replace(/^\ufeff/, ""), at + 1)).filter((one) => one.text.trim());
  const head = lines[0]?.cells && headOf(lines[0].cells);
  if (!head) return { lines };
  const { rows, broken } = parsed(text.trimStart());
  if (broken !== null) return { lines: lines.slice(1), head };
  const filled = rows.map(({ line, cells }) => ({ line, cells, text: cells.join(" ") })).filter((one) => one.text.trim());
  return { lines: filled.slice(1), head };
}

function read({ cells, people, isBroken }, head) {
  if (isBroken) return { reason: "quote" };
  const found = people ? { people } : fromCells(cells, head);
  if (found.people?.some(({ email }) => !isAddress(email))) return { reason: "no_address" };
  if (found.people?.some(({ name }) => name.length > LONGEST_NAME)) return { reason: "name" };
  return found;
}

// {people: [{email, name}], bad: [{line, text, reason}], doubles: [email]}
export function rosterOf(text) {
  const { lines, head } = linesOf(text);
  const byAddress = new Map();
  const [bad, doubles] = [[], []];
  for (const one of lines) {
    const { people = [], reason } = read(one, head);
    if (reason) bad.push({ line: one.line, text: one.text.trim(), reason });
    for (const person of people) {
      const known = byAddress.get(person.email.toLowerCase());
      if (!known) byAddress.set(person.email.toLowerCase(), { ...person });
      else {
        known.name ||= person.name;
        doubles.push(person.email);
      }
    }
  }
  return { people: [...byAddress.values()], bad, doubles };
}

// As it is read again.
export function written({ email, name }) {
  if (!name) return email;
  return `${/[,;"]/.test(name) ? `"${name.replaceAll('"', "'")}"` : name} <${email}>`;
}

// Table programs write as their system does. Nothing where it is no text.
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
