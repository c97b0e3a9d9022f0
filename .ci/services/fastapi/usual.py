"""POST /plants as FastAPI's tutorial has it: models, HTTPBearer, nothing else."""

import os
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

app = FastAPI()
bearer = HTTPBearer()


class Plant(BaseModel):
    name: str
    tag: str | None = None


class NewPlant(Plant):
    id: int


def authenticated(
    credentials: Annotated[HTTPAuthorizationCredentials, Depends(bearer)],
) -> None:
    if credentials.credentials != os.environ["TOKEN"]:
        raise HTTPException(status_code=401, detail="Invalid token")


plants: dict[int, NewPlant] = {}


@app.post("/plants", dependencies=[Depends(authenticated)])
async def create_plant(plant: NewPlant) -> Plant:
    plants[plant.id] = plant
    return plant
