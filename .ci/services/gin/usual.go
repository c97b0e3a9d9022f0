// POST /plants as Gin's documentation has it: a struct with binding tags,
// ShouldBindJSON, and a middleware that takes the bearer token.
package main

import (
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

type Plant struct {
	Name string `json:"name" binding:"required"`
	Tag  string `json:"tag"`
}

type NewPlant struct {
	ID int64 `json:"id" binding:"required"`
	Plant
}

func authenticated(c *gin.Context) {
	token, found := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer ")
	if !found || token != os.Getenv("TOKEN") {
		c.AbortWithStatusJSON(http.StatusUnauthorized, gin.H{"error": "unauthorized"})
	}
}

func main() {
	var (
		mutex  sync.Mutex
		plants = map[int64]Plant{}
	)
	router := gin.Default()
	router.POST("/plants", authenticated, func(c *gin.Context) {
		var plant NewPlant
		if err := c.ShouldBindJSON(&plant); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		mutex.Lock()
		plants[plant.ID] = plant.Plant
		mutex.Unlock()
		c.JSON(http.StatusOK, plant.Plant)
	})
	router.Run("127.0.0.1:" + os.Getenv("PORT"))
}
