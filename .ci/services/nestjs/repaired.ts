// What usual.ts became when it was repaired by what the suite found.
import 'reflect-metadata';
import {
  ArgumentsHost, Body, CanActivate, Catch, Controller, ExceptionFilter, ExecutionContext, HttpCode,
  HttpException, Injectable, Module, Post,
  UnauthorizedException, UseGuards, ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt, IsString, Max, Min, ValidateIf } from 'class-validator';

class Plant {
  @IsString()
  name: string;

  @ValidateIf((_, tag) => tag !== undefined)
  @IsString()
  tag?: string;
}

class NewPlant extends Plant {
  @IsInt()
  @Min(Number.MIN_SAFE_INTEGER)
  @Max(Number.MAX_SAFE_INTEGER)
  id: number;
}

@Catch()
class ErrorFilter implements ExceptionFilter {
  catch(exception: any, host: ArgumentsHost) {
    const status =
      exception instanceof HttpException ? exception.getStatus() : (exception.statusCode ?? 500);
    const { message } =
      exception instanceof HttpException ? (exception.getResponse() as any) : exception;
    host.switchToHttp().getResponse().status(status).json({ error: status, message: `${message}` });
  }
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
  app.useGlobalFilters(new ErrorFilter());
  app.useGlobalPipes(new ValidationPipe());
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}
bootstrap();
