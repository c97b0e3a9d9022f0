"""POST /plants as Django REST Framework's tutorial has it, in one file: a model,
a ModelSerializer, token authentication with the keyword Bearer."""

import os

import django
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

settings.configure(
    ALLOWED_HOSTS=["*"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ["SCRATCH"] + "/plants.db",
        }
    },
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "rest_framework",
        "rest_framework.authtoken",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.middleware.common.CommonMiddleware",
    ],
    ROOT_URLCONF=__name__,
    SECRET_KEY="for this run",
    TEMPLATES=[
        {"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}
    ],
)
django.setup()

from django.contrib.auth.models import User
from django.db import connection, models
from django.urls import path
from rest_framework import generics, serializers
from rest_framework.authentication import TokenAuthentication
from rest_framework.authtoken.models import Token
from rest_framework.permissions import IsAuthenticated


class Plant(models.Model):
    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=200)
    tag = models.CharField(max_length=200, blank=True)

    class Meta:
        app_label = "plants"


class PlantSerializer(serializers.ModelSerializer):
    class Meta:
        model = Plant
        fields = ["id", "name", "tag"]
        extra_kwargs = {"id": {"write_only": True}}


class BearerAuthentication(TokenAuthentication):
    keyword = "Bearer"


class CreatePlant(generics.CreateAPIView):
    queryset = Plant.objects.all()
    serializer_class = PlantSerializer
    authentication_classes = [BearerAuthentication]
    permission_classes = [IsAuthenticated]

    def create(self, request, *args, **kwargs):
        response = super().create(request, *args, **kwargs)
        response.status_code = 200
        return response


urlpatterns = [path("plants", CreatePlant.as_view())]

# In place of `manage.py migrate` and `manage.py drf_create_token`.
call_command("migrate", verbosity=0)
with connection.schema_editor() as editor:
    editor.create_model(Plant)
Token.objects.create(user=User.objects.create(username="client"), key=os.environ["TOKEN"])

application = get_wsgi_application()
