//! POST /plants as axum's documentation has it: the Json extractor for a struct
//! that serde derives, a typed header for the bearer token.

use std::collections::HashMap;
use std::env;
use std::sync::{Arc, Mutex};

use axum::{Json, Router, extract::State, http::StatusCode, routing::post};
use axum_extra::TypedHeader;
use axum_extra::headers::{Authorization, authorization::Bearer};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct NewPlant {
    id: i64,
    name: String,
    tag: Option<String>,
}

#[derive(Clone, Serialize)]
struct Plant {
    name: String,
    tag: Option<String>,
}

type Plants = Arc<Mutex<HashMap<i64, Plant>>>;

async fn create_plant(
    State(plants): State<Plants>,
    TypedHeader(authorization): TypedHeader<Authorization<Bearer>>,
    Json(new): Json<NewPlant>,
) -> Result<Json<Plant>, StatusCode> {
    if authorization.token() != env::var("TOKEN").unwrap() {
        return Err(StatusCode::UNAUTHORIZED);
    }
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
