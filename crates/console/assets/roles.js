// Who may make whom what.
import { can, session } from "./api.js";

// From the most to the least powerful: nobody gives, changes or takes away what is above their own.
export const ROLES = ["owner", "admin", "teacher", "student"];

export const mayGive = (role) => can("write:students") && ROLES.indexOf(role) >= ROLES.indexOf(session.platform.role);
