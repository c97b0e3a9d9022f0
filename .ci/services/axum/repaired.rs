//! What usual.rs became when it was repaired by what the suite found.

use std::collections::HashMap;
use std::env;
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, routing::post};
use axum_extra::TypedHeader;
use axum_extra::extract::WithRejection;
use axum_extra::headers::{Authorization, authorization::Bearer};
use axum_extra::typed_header::TypedHeaderRejection;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

#[derive(Deserialize)]
struct NewPlant {
    id: i64,
    name: String,
    #[serde(default, deserialize_with = "not_null")]
    tag: Option<String>,
}

fn not_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

#[derive(Clone, Serialize)]
struct Plant {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
}

struct Rejection(StatusCode, String);

impl From<JsonRejection> for Rejection {
    fn from(rejection: JsonRejection) -> Self {
        Self(rejection.status(), rejection.body_text())
    }
}

impl From<TypedHeaderRejection> for Rejection {
    fn from(rejection: TypedHeaderRejection) -> Self {
        Self(StatusCode::UNAUTHORIZED, rejection.to_string())
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        let body = serde_json::json!({"error": self.0.as_u16(), "message": self.1});
        (self.0, Json(body)).into_response()
    }
}

type Plants = Arc<Mutex<HashMap<i64, Plant>>>;

async fn create_plant(
    State(plants): State<Plants>,
    WithRejection(TypedHeader(authorization), _): WithRejection<
        TypedHeader<Authorization<Bearer>>,
        Rejection,
    >,
    WithRejection(Json(object), _): WithRejection<Json<Map<String, Value>>, Rejection>,
) -> Result<Json<Plant>, Rejection> {
    if authorization.token() != env::var("TOKEN").unwrap() {
        return Err(Rejection(StatusCode::UNAUTHORIZED, "unknown token".into()));
    }
    // Not NewPlant at once, which serde reads from a list as well.
    let new = NewPlant::deserialize(Value::Object(object))
        .map_err(|error| Rejection(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))?;
    let plant = Plant {
        name: new.name,
        tag: new.tag,
    };
    plants.lock().unwrap().insert(new.id, plant.clone());
    Ok(Json(plant))
}

#[tokio::main]
async fn main() {
    let app = Router::new()
        .route("/plants", post(create_plant))
        .with_state(Plants::default());
    let address = format!("127.0.0.1:{}", env::var("PORT").unwrap());
    let listener = tokio::net::TcpListener::bind(address).await.unwrap();
    axum::serve(listener, app).await.unwrap();
}
