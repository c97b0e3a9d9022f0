"""What usual.py became when it was repaired by what the suite found."""

import json
import os
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException as AnyHTTPException



class StrictRequest(Request):
    async def json(self):
        def refuse(constant: str):
            raise json.JSONDecodeError(f"{constant} is no JSON", constant, 0)

        return json.loads(await self.body(), parse_constant=refuse)


class StrictRoute(APIRoute):
    def get_route_handler(self):
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handler(StrictRequest(request.scope, request.receive))

        return strict


app = FastAPI()
app.router.route_class = StrictRoute
bearer = HTTPBearer()


def encodable(text: str) -> str:
    text.encode()  # half of a surrogate pair is no text to answer with
    return text


Text = Annotated[str, AfterValidator(encodable)]


class Plant(BaseModel):
    model_config = ConfigDict(strict=True)

    name: Text
    tag: Text = ""


class NewPlant(Plant):
    id: Annotated[int, Field(ge=-(2**63), lt=2**63)]


def authenticated(
    credentials: Annotated[HTTPAuthorizationCredentials, Depends(bearer)],
) -> None:
    if credentials.credentials != os.environ["TOKEN"]:
        raise HTTPException(status_code=401, detail="Invalid token")


def error(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": status, "message": message}, status)


@app.exception_handler(RequestValidationError)
async def invalid(request: Request, exc: RequestValidationError) -> JSONResponse:
    return error(400, "; ".join(f"{e['loc'][-1]}: {e['msg']}" for e in exc.errors()))


@app.exception_handler(AnyHTTPException)
async def refused(request: Request, exc: AnyHTTPException) -> JSONResponse:
    return error(exc.status_code, exc.detail)


plants: dict[int, NewPlant] = {}


@app.post(
    "/plants",
    dependencies=[Depends(authenticated)],
    response_model_exclude_unset=True,
)
async def create_plant(plant: NewPlant) -> Plant:
    plants[plant.id] = plant
    return plant
