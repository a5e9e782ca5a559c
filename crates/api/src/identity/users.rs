//! Users over HTTP.

use lyceum_application::identity::users::{self, UserFilter};
use lyceum_domain::identity::users::Role;
use lyceum_domain::ids::User;
use lyceum_domain::text::Email;
use lyceum_wire::identity::users::{CreateUser, UpdateUser, UserView};

use crate::http::answer::{Created, Deleted, Found, Listed, Outcome};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::force::Force;
use crate::http::input::{Json, Listing, Nothing, Params};
use crate::http::narrowing::Tagged;
use crate::http::query::{FromQuery, Parameter, Query};

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
        Parameter {
            name: "role",
            description: "In this role.",
            values: &["owner", "admin", "teacher", "student"],
        },
        Parameter {
            name: "email",
            description: "With this address.",
            values: &[],
        },
        Parameter {
            name: "q",
            description: "With this text in the name or the address.",
            values: &[],
        },
    ];

    fn read(query: &mut Query) -> Result<Self, Failure> {
        Ok(Self {
            role: query.parsed("role", Role::parse)?,
            email: query.parsed("email", Email::parse)?,
            consent: None,
            q: query.text("q")?,
        })
    }
}
