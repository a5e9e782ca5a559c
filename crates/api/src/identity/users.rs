//! Users over HTTP.

use lyceum_application::identity::users::{self, UserFilter};
use lyceum_domain::identity::users::{Role, UserKind};
use lyceum_domain::ids::User;
use lyceum_domain::text::Email;
use lyceum_wire::identity::users::{CreateUser, UpdateUser, UserView};

use crate::prelude::*;

pub async fn create(call: Call<Json<CreateUser>>) -> Outcome<Created<UserView>> {
    call.count_invitation(|_| true)?;
    call.write(|tx, ctx, _, new| users::create(tx, ctx, new))
        .await
}

pub async fn list(call: Call<Listing<User, UserFilter, Tagged>>) -> Outcome<Listed<UserView>> {
    call.read(|tx, ctx, _, (filter, page)| users::list(tx, ctx, &filter, &page))
        .await
}

pub async fn retrieve(call: Call<Nothing>) -> Outcome<Found<UserView>> {
    call.read(|tx, ctx, path, ()| users::retrieve(tx, ctx, path.id()?))
        .await
}

pub async fn update(call: Call<Json<UpdateUser>>) -> Outcome<Found<UserView>> {
    call.unless_changed(|tx, ctx, path| users::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, changes| users::update(tx, ctx, path.id()?, changes))
        .await
}

pub async fn delete(call: Call<Params<Force>>) -> Outcome<Deleted> {
    call.unless_changed(|tx, ctx, path| users::retrieve(tx, ctx, path.id()?))
        .write(|tx, ctx, path, Force(force)| {
            users::delete(tx, ctx, path.id()?, force).map(|id| id.to_string())
        })
        .await
}

impl FromQuery for UserFilter {
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("role", "In this role.").one_of(&["owner", "admin", "teacher", "student"]),
        Parameter::new("kind", "People, or programs.").one_of(&["person", "service"]),
        Parameter::new("email", "With this address."),
        Parameter::new(
            "accepted",
            "Whose person accepted (`true`), or has not (`false`).",
        )
        .flag(),
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            role: query.parsed("role", Role::parse)?,
            kind: query.parsed("kind", UserKind::parse)?,
            email: query.parsed("email", Email::parse)?,
            accepted: query.asked_flag("accepted")?,
        })
    }
}
