module.exports = require("@strapi/strapi").factories.createCoreService("api::course.course");
