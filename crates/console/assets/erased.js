// Whom nobody knows any more, and who may see to it.
import { can, session } from "./api.js";

// Nobody else can have such an address.
const ERASED = /^erased-.*@erased\.invalid$/;

export const isErased = ({ email }) => ERASED.test(email);
export const receiptOf = (id) => `#/members/${id}/erasure`;
export const mayExport = () => can("write:students") && can("read:submissions") && can("read:keys");
export const mayErase = (id) => can("write:students") && can("write:workspaces") && id !== session.me.user?.id;
