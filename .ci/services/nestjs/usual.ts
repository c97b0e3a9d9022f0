// POST /plants as NestJS's documentation has it: a class with class-validator's
// decorators, the global ValidationPipe, a guard that takes the bearer token.
import 'reflect-metadata';
import {
  Body, CanActivate, Controller, ExecutionContext, HttpCode, Injectable, Module, Post,
  UnauthorizedException, UseGuards, ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsOptional, IsString } from 'class-validator';

class Plant {
  @IsString()
  name: string;

  @IsOptional()
  @IsString()
  tag?: string;
}

class NewPlant extends Plant {
  @IsInt()
  id: number;
}

@Injectable()
class AuthGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    const [type, token] = request.headers.authorization?.split(' ') ?? [];
    if (type !== 'Bearer' || token !== process.env.TOKEN) {
      throw new UnauthorizedException();
    }
    return true;
  }
}

@Controller('plants')
@UseGuards(AuthGuard)
class PlantsController {
  private readonly plants = new Map<number, NewPlant>();

  @Post()
  @HttpCode(200)
  create(@Body() plant: NewPlant): Plant {
    this.plants.set(plant.id, plant);
    return { name: plant.name, tag: plant.tag };
  }
}

@Module({ controllers: [PlantsController] })
class AppModule {}

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.useGlobalPipes(new ValidationPipe());
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}
bootstrap();
