module.exports = { level: "warn" };
