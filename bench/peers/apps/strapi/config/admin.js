// Screens are nothing that is measured: without them there is nothing to build.
module.exports = ({ env }) => ({
  auth: { secret: env("SECRET") },
  apiToken: { salt: env("SECRET") },
  transfer: { token: { salt: env("SECRET") } },
  serveAdminPanel: false,
});
