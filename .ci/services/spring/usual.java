// POST /plants as Spring's guides have it: records with constraints, @Valid, and
// a resource server with opaque bearer tokens.
package usual;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.oauth2.core.DefaultOAuth2AuthenticatedPrincipal;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
class Plants {
  record Plant(String name, String tag) {}

  record NewPlant(@NotNull Long id, @NotNull String name, String tag) {}

  @RestController
  static class PlantController {
    private final Map<Long, NewPlant> plants = new ConcurrentHashMap<>();

    @PostMapping("/plants")
    Plant create(@Valid @RequestBody NewPlant plant) {
      plants.put(plant.id(), plant);
      return new Plant(plant.name(), plant.tag());
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
