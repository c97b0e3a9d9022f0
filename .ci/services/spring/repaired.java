// What usual.java became when it was repaired by what the suite found.
package repaired;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.type.LogicalType;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.jackson.Jackson2ObjectMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.multipart.MultipartException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

@SpringBootApplication
class Plants {
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Plant(String name, String tag) {}

  // No record: for its constructor a tag that is absent is null.
  static class NewPlant {
    @NotNull public Long id;
    @NotNull public String name;

    @JsonSetter(nulls = Nulls.FAIL)
    public String tag;
  }

  record Error(int error, String message) {}

  @RestControllerAdvice
  static class Errors extends ResponseEntityExceptionHandler {
    @Override
    protected ResponseEntity<Object> handleExceptionInternal(
        Exception exception, Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
      return new ResponseEntity<>(new Error(status.value(), exception.getMessage()), headers, status);
    }

    // What Spring throws for a multipart/form-data without a boundary.
    @ExceptionHandler(MultipartException.class)
    ResponseEntity<Error> handle(MultipartException exception) {
      return ResponseEntity.badRequest().body(new Error(400, exception.getMessage()));
    }

    // What Spring throws for the Content-Type */*.
    @ExceptionHandler(IllegalArgumentException.class)
    ResponseEntity<Error> handle(IllegalArgumentException exception) {
      return ResponseEntity.badRequest().body(new Error(400, exception.getMessage()));
    }
  }

  @Bean
  Jackson2ObjectMapperBuilderCustomizer strictJSON() {
    return builder ->
        builder
            .featuresToEnable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .featuresToDisable(
                DeserializationFeature.ACCEPT_FLOAT_AS_INT, MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .postConfigurer(
                mapper ->
                    mapper
                        .coercionConfigFor(LogicalType.Textual)
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail));
  }

  @RestController
  static class PlantController {
    private final Map<Long, NewPlant> plants = new ConcurrentHashMap<>();

    @PostMapping(path = "/plants", produces = "application/json")
    Plant create(@Valid @RequestBody NewPlant plant) {
      plants.put(plant.id, plant);
      return new Plant(plant.name, plant.tag);
    }
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http
        .csrf(CsrfConfigurer::disable)
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .oauth2ResourceServer(server -> server.opaqueToken(Customizer.withDefaults()))
        .build();
  }

  @Bean
  OpaqueTokenIntrospector introspector() {
    return token -> {
      if (!token.equals(System.getenv("TOKEN"))) {
        throw new BadOpaqueTokenException("unknown token");
      }
      return new DefaultOAuth2AuthenticatedPrincipal("client", Map.of("sub", "client"), List.of());
    };
  }

  public static void main(String[] args) {
    SpringApplication.run(Plants.class, args);
  }
}
