module.exports = require("@strapi/strapi").factories.createCoreRouter("api::course.course");
