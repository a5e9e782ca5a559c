module.exports = ({ env }) => ({
  connection: {
    client: "postgres",
    connection: {
      host: "127.0.0.1",
      port: env.int("DATABASE_PORT"),
      database: env("DATABASE_NAME"),
      user: "postgres",
      password: "none",
    },
    pool: { min: 2, max: 10 },
  },
});
