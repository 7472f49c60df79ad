package route

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/gofiber/fiber/v2"
)

// Encoded is an answer that was marshalled once, ahead of all requests. T only
// says in the document what the bytes are.
type Encoded[T any] struct{ data []byte }

// Encode marshals v as an answer would be.
func Encode[T any](v T) (Encoded[T], error) {
	data, err := marshal(v)
	return Encoded[T]{data}, err
}

// EncodedList is the JSON array of answers that were encoded before.
func EncodedList[T any](items []Encoded[T]) Encoded[[]T] {
	size := 2
	for _, item := range items {
		size += len(item.data) + 1
	}
	data := append(make([]byte, 0, size), '[')
	for i, item := range items {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, item.data...)
	}
	return Encoded[[]T]{append(data, ']')}
}

// Bytes is the JSON text. It must not be changed.
func (e Encoded[T]) Bytes() []byte { return e.data }

func (Encoded[T]) shape() reflect.Type { return reflect.TypeFor[T]() }

// encoded is what all Encoded types have in common.
type encoded interface {
	Bytes() []byte
	shape() reflect.Type
}

// Content is an answer that is not JSON: a page, a picture.
type Content struct {
	Type   string // media type
	Data   []byte
	Coding string // Content-Encoding, if Data is packed
	Policy string // Content-Security-Policy, if not the strict default
	Cache  string // Cache-Control, if not no-store
}

// marshal is JSON as we send it: UTF-8, with <, > and & as they are.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

const jsonType = "application/json; charset=utf-8"

// answer sends what a route's function returned.
func answer(c *fiber.Ctx, out any) error {
	switch v := out.(type) {
	case encoded:
		return send(c, v.Bytes())
	case Content:
		h := &c.Response().Header
		for name, value := range map[string]string{
			fiber.HeaderContentEncoding: v.Coding, fiber.HeaderContentSecurityPolicy: v.Policy, fiber.HeaderCacheControl: v.Cache,
		} {
			if value != "" {
				h.Set(name, value)
			}
		}
		h.SetContentType(v.Type)
		c.Response().SetBodyRaw(v.Data)
		return nil
	}
	data, err := marshal(out)
	if err != nil {
		return err
	}
	return send(c, data)
}

func send(c *fiber.Ctx, data []byte) error {
	c.Response().Header.SetContentType(jsonType)
	c.Response().SetBodyRaw(data)
	return nil
}
