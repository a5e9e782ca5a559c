// Makes the tables and an API token, and prints the token.
const { createStrapi } = require("@strapi/strapi");

async function prepare() {
  const strapi = await createStrapi({ appDir: __dirname, distDir: __dirname }).load();
  // Newest courses are found by it; Strapi itself makes no index of what it orders by.
  await strapi.db.connection.raw("CREATE INDEX courses_newest ON courses (created_at DESC)");
  const token = await strapi.service("admin::api-token").create({
    name: "Bench",
    description: "",
    type: "full-access",
    lifespan: null,
  });
  console.log(`token ${token.accessKey}`);
  await strapi.destroy();
}

prepare().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
