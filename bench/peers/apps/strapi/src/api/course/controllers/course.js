module.exports = require("@strapi/strapi").factories.createCoreController("api::course.course");
