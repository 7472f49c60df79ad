package route

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
	"github.com/gofiber/fiber/v2"

	"github.com/svc-platform/svc/host/fault"
)

// maxDepth is how deep a JSON body may nest: far more than any of ours does.
const maxDepth = 64

// fillBody reads the JSON body into a field.
func (in *input) fillBody(c *fiber.Ctx, field reflect.Value) error {
	// The raw body: fiber's own accessor unpacks gzip without any limit.
	data := c.Request().Body()
	if len(data) == 0 && in.body.optional {
		return nil
	}
	if err := jsonOnly(c); err != nil {
		return err
	}
	return readJSON(in.schemas, in.body.schema, data, field.Addr().Interface())
}

// jsonOnly refuses what is not plain JSON by its own headers.
func jsonOnly(c *fiber.Ctx) error {
	media, params, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	charset := strings.ToLower(params["charset"])
	if err != nil || media != "application/json" || (charset != "" && charset != "utf-8") {
		return problem{
			status: fiber.StatusUnsupportedMediaType, code: "unsupported_media_type",
			message: "send the body as JSON with the header Content-Type: application/json",
		}
	}
	if coding := c.Get(fiber.HeaderContentEncoding); coding != "" && coding != "identity" {
		return problem{
			status: fiber.StatusUnsupportedMediaType, code: "unsupported_media_type",
			message: "send the body without Content-Encoding",
		}
	}
	return nil
}

// readJSON decodes data into out, which the schema describes. It is strict:
// UTF-8 only, no unknown or repeated field, names in their exact case.
func readJSON(schemas huma.Registry, schema *huma.Schema, data []byte, out any) error {
	if !utf8.Valid(data) {
		return invalid([]fault.Detail{{Field: "body", Message: "is not valid UTF-8"}})
	}
	tree, err := parseJSON(data)
	if err != nil {
		return invalid([]fault.Detail{{Field: "body", Message: err.Error()}})
	}
	if wrong := append(unknownFields(schemas, schema, "body", tree), check(schemas, schema, "body", tree)...); len(wrong) > 0 {
		return invalid(wrong)
	}
	if err := json.Unmarshal(data, out); err != nil {
		where, message := "body", "does not fit the expected shape"
		var mistyped *json.UnmarshalTypeError
		if errors.As(err, &mistyped) {
			where = strings.TrimSuffix("body."+mistyped.Field, ".")
			message = fmt.Sprintf("a %s does not fit here", mistyped.Value)
		}
		return invalid([]fault.Detail{{Field: where, Message: message}})
	}
	return nil
}

// check lists where value does not fit the schema.
func check(schemas huma.Registry, schema *huma.Schema, where string, value any) []fault.Detail {
	res := &huma.ValidateResult{}
	huma.Validate(schemas, schema, huma.NewPathBuffer([]byte(where), len(where)), huma.ModeWriteToServer, value, res)
	var wrong []fault.Detail
	for _, err := range res.Errors {
		var detail *huma.ErrorDetail
		if !errors.As(err, &detail) {
			wrong = append(wrong, fault.Detail{Field: where, Message: err.Error()})
		} else if detail.Message != validation.MsgUnexpectedProperty { // unknownFields says it better
			wrong = append(wrong, fault.Detail{Field: detail.Location, Message: detail.Message})
		}
	}
	return wrong
}

// unknownFields names every field that the schema does not have, by exact case:
// both the validator and encoding/json would let "Query" pass for "query".
func unknownFields(schemas huma.Registry, schema *huma.Schema, where string, value any) []fault.Detail {
	for schema != nil && schema.Ref != "" {
		schema = schemas.SchemaFromRef(schema.Ref)
	}
	if schema == nil {
		return nil
	}
	var wrong []fault.Detail
	switch v := value.(type) {
	case []any:
		for i, item := range v {
			wrong = append(wrong, unknownFields(schemas, schema.Items, where+"["+strconv.Itoa(i)+"]", item)...)
		}
	case map[string]any:
		closed := schema.AdditionalProperties == false
		for _, name := range slices.Sorted(maps.Keys(v)) {
			field, known := schema.Properties[name]
			if closed && !known {
				known := strings.Join(slices.Sorted(maps.Keys(schema.Properties)), ", ")
				wrong = append(wrong, fault.Detail{Field: where + "." + name, Message: "unknown field; the fields are " + known})
			}
			wrong = append(wrong, unknownFields(schemas, field, where+"."+name, v[name])...)
		}
	}
	return wrong
}

// parseJSON reads exactly one JSON value into maps, slices, strings, float64,
// bool and nil, and refuses repeated names and deep nesting.
func parseJSON(data []byte) (any, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("is empty; send a JSON object")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	value, err := parseValue(dec, 0)
	if err != nil {
		return nil, describe(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("has something after the JSON value")
	}
	return value, nil
}

// refusal is a parse error in our own words.
type refusal string

func (r refusal) Error() string { return string(r) }

// describe says what is wrong without the decoder's own wording.
func describe(err error) error {
	var ours refusal
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &ours):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("is not valid JSON: it ends too early")
	case errors.As(err, &syntax):
		return fmt.Errorf("is not valid JSON near byte %d", syntax.Offset)
	default:
		return errors.New("is not valid JSON")
	}
}

func parseValue(dec *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, refusal(fmt.Sprintf("nests deeper than %d levels", maxDepth))
	}
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return parseObject(dec, depth)
		}
		return parseArray(dec, depth)
	case json.Number:
		x, err := t.Float64()
		if err != nil {
			return nil, refusal(fmt.Sprintf("has a number that is out of range: %.40s", t.String()))
		}
		return x, nil
	default:
		return token, nil
	}
}

func parseObject(dec *json.Decoder, depth int) (any, error) {
	object := map[string]any{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		if _, twice := object[name]; twice {
			return nil, refusal(fmt.Sprintf("has the field %.80q twice", name))
		}
		if object[name], err = parseValue(dec, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := dec.Token() // the closing brace
	return object, err
}

func parseArray(dec *json.Decoder, depth int) (any, error) {
	array := []any{}
	for dec.More() {
		value, err := parseValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		array = append(array, value)
	}
	_, err := dec.Token() // the closing bracket
	return array, err
}
