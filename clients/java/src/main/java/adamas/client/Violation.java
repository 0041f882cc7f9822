package adamas.client;

/**
 * One thing that is wrong with a request.
 *
 * @param field path of the field, such as {@code query.view.diamonds.hand[3]}
 * @param description what is wrong and what would be right
 */
public record Violation(String field, String description) {
  @Override
  public String toString() {
    return field + ": " + description;
  }
}
