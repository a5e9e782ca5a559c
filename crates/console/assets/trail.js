// The way to the audit trail from what it is about.
import { can } from "./api.js";

export const mayReadTrail = () => ["read:workspaces", "read:keys", "read:students", "read:submissions"].every(can);
export const trailOf = (id) => `#/audit?id=${id}`;
