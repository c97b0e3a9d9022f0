// What usual.go became when it was repaired by what the suite found.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

type Plant struct {
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitempty"`
}

type NewPlant struct {
	ID int64
	Plant
}

// UnmarshalJSON takes keys as they are spelled, unlike encoding/json, and no null.
func (p *NewPlant) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	for key, value := range map[string]any{"id": &p.ID, "name": &p.Name, "tag": &p.Tag} {
		member, found := members[key]
		if !found && key == "tag" {
			continue
		}
		if !found || string(member) == "null" {
			return errors.New(key + " is missing")
		}
		if err := json.Unmarshal(member, value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

func refuse(c *gin.Context, status int, message string) {
	c.AbortWithStatusJSON(status, gin.H{"error": status, "message": message})
}

func authenticated(c *gin.Context) {
	token, found := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer ")
	if !found || token != os.Getenv("TOKEN") {
		refuse(c, http.StatusUnauthorized, "unauthorized")
	}
}

func main() {
	var (
		mutex  sync.Mutex
		plants = map[int64]Plant{}
	)
	router := gin.Default()
	router.POST("/plants", authenticated, func(c *gin.Context) {
		// ShouldBindJSON leaves what follows the JSON value.
		body, err := c.GetRawData()
		var plant NewPlant
		if err == nil {
			err = json.Unmarshal(body, &plant)
		}
		if err != nil {
			refuse(c, http.StatusBadRequest, err.Error())
			return
		}
		mutex.Lock()
		plants[plant.ID] = plant.Plant
		mutex.Unlock()
		c.JSON(http.StatusOK, plant.Plant)
	})
	router.Run("127.0.0.1:" + os.Getenv("PORT"))
}
